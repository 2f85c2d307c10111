// A compose file with all that two starts of it could share, and the spec of an environment of it.

/** The compose file. */
export const compose = `
services:
  web:
    build: .
    container_name: the-only-one
    restart: always
    environment:
      NAME: web
      OTHER: http://stock:8080/
      COMMIT: 12e4567
      HERE: \${PWD}
    ports: ["18080:8080"]
    depends_on:
      stock: { condition: service_healthy }
      migrate: { condition: service_completed_successfully }
      prepare: { condition: service_started }
    volumes: ["data:/data"]
  stock:
    build: { context: ., dockerfile: healthy.Dockerfile }
    environment: { NAME: stock }
  migrate:
    build: .
    depends_on: [stock]
    command: ["/app", "seed"]
    volumes: ["data:/data"]
  prepare:
    build: .
    command: ["/app", "seed"]
    volumes: ["data:/data"]
  unused:
    image: 127.0.0.1:9/nothing
volumes:
  data: { name: the-only-data }
`;

/** The spec, without scenarios. */
export const spec = `
title = "Box"
[environments.here]
url = "http://127.0.0.1:\${port.web}"
compose = "compose.yaml"
[[environments.here.services]]
name = "web"
ready = "http://127.0.0.1:\${port}/seeded"
`;
