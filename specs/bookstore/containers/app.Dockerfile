# The jar that Maven built on this machine: the one that the environment "local" runs.
ARG BASE=eclipse-temurin:17-jre
FROM ${BASE}
COPY target/bookstore.jar /bookstore.jar
