"""The evaluation of the S-CFE paper, from the raw data: models, answers of every method, tables, figures.

paper.py beside this folder runs it. One concept a file; what the paper prints is in printed.json.
"""
