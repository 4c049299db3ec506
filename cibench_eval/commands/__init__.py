"""The sub-commands of `cibench` that have much to do, one file a group."""
