"""Why a step failed: facts of its code, rules, categories and causes."""
