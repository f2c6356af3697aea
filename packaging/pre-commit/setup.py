from setuptools import setup

setup(name="pcore-pre-commit", version="VERSION", py_modules=[], install_requires=["puppet-pcore==VERSION"])
