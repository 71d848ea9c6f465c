"""A program that reads its review and never answers."""

import sys
import time

sys.stdin.read()
time.sleep(60)
