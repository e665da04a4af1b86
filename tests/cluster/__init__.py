"""A cluster of real parts on this machine: Patroni, etcd, HAProxy, and drills on it."""
