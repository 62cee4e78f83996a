"""One pipeline, from a table in memory to a cluster: survey, plan, route, group and release."""
