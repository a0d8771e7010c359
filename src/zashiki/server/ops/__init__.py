"""What every part of the server uses to run well: logs, metrics, rate limits, outages.

Layer: above `protocol`, below `accounts`.
"""
