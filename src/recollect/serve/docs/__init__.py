"""The pages under docs/surfaces, written from the declarations."""
