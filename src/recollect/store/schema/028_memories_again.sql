-- Of several memories written in one transaction only the first was indexed; looking at all of them again enters the rest.
UPDATE indexed SET upto = 0 WHERE part = 'memories';
