// A script that stands in for the built one: long enough to be worth compressing.
