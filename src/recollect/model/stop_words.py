"""Stop words: question and function words."""

STOP_WORDS = frozenset(
    """a about after again all also am an and any are as at be because been before being between both but by can could
    did do does doing down during each few for from further had has have having he her here hers him his how i if in
    into is it its just me might more most must my no nor not of off on once only or other our out over own same shall
    she should so some such than that the their them then there these they this those through to too under until up
    us very was we were what when where which while who whom whose why will with would you your""".split()
)
