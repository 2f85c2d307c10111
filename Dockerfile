# The command with its tools (k6 with the native player, Hugo, jq), as a user without rights: for Kubernetes, GitLab,
# macOS and Windows. `make image` builds it; site/content/docs/in-an-image.md says what it can do where.
#
# It is made of the package as npm installs it, which test/make/image-tree.js lays out in .bench/image/ before: the
# release's own bytes, and nothing else of this folder (.dockerignore). Without it COPY fails: run `make image`.
#
# BASE is any image of Debian with Node.js 20.19 or later. A tag moves: each release gets the fixes that Node.js and
# Debian have by then, looks up the tag's digest once, builds every platform from that digest and notes it as a label. A
# digest written here would hold those fixes back. To build from one that cannot move:
#
#   docker buildx imagetools inspect node:20-slim            # prints it
#   make image BASE=node:20-slim@sha256:…
ARG BASE=docker.io/library/node:20-slim
FROM ${BASE}

# ca-certificates: k6 has none of its own. tini: ends and reaps what services leave, as process 1. git: duets, and which
# commit a run measured; who needs neither leaves it out, who has services in Python adds it: PACKAGES="git python3"
ARG PACKAGES="git"
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends ca-certificates tini ${PACKAGES} \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* /var/cache/ldconfig/* /var/log/*.log /var/log/apt

COPY .bench/image/ /

LABEL org.opencontainers.image.title="Benchfolio" \
      org.opencontainers.image.description="Declarative load benchmarks: the command, k6, Hugo and jq" \
      org.opencontainers.image.licenses="Apache-2.0 AND AGPL-3.0-only AND MIT"

# Any other user will do (--user): nothing is written but to the working directory and /tmp. A number: Kubernetes cannot
# see that a name is not root's (runAsNonRoot).
USER 1000:1000
ENV HOME=/tmp
WORKDIR /work
ENTRYPOINT ["tini", "--", "benchfolio"]
CMD ["--help"]
