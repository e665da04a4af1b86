"""The domain: entities, facts, assertions and documents as frozen types, and the rules by which they add up."""
