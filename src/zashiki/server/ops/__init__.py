"""Operation of the server: logs, metrics, rate limits, outages, verification of records.

Layer: above `protocol`, below `accounts`.
"""
