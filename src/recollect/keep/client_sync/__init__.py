"""entity-core's client protocol: the instances of an entity pull, push and learn of conflicts.

`recollect sync`, which exchanges transactions with other devices, is in `keep/replication/`.
"""
