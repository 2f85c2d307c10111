# Verdaccio as npm installed it on this machine: what the environment "proxy" runs, for both registries.
ARG BASE=node:20-slim
FROM ${BASE}
COPY package.json /registry/
COPY node_modules /registry/node_modules/
