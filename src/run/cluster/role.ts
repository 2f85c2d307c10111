/** What a run does in a cluster, as rights: nothing is read but what it made, and no secret at all. */
export const rules: readonly { apiGroups: string[]; resources: string[]; verbs: string[] }[] = [
  { apiGroups: ['batch'], resources: ['jobs'], verbs: ['create', 'get', 'list', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['create'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  { apiGroups: [''], resources: ['pods/proxy'], verbs: ['get', 'patch'] },
];

/**
 * A Role and who has it, to be applied by somebody who may.
 * @param given name: of the role; who: a service account of the namespace, or a user
 * @returns YAML
 */
export function roleText({
  namespace,
  name,
  serviceAccount,
  user,
}: {
  namespace: string;
  name: string;
  serviceAccount: string | null;
  user: string | null;
}): string {
  const subject =
    user === null
      ? [
          '  - kind: ServiceAccount',
          `    name: ${JSON.stringify(serviceAccount)}`,
          `    namespace: ${JSON.stringify(namespace)}`,
        ]
      : ['  - kind: User', `    name: ${JSON.stringify(user)}`, '    apiGroup: rbac.authorization.k8s.io'];
  const list = (words: string[]) => `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: Role',
    'metadata:',
    `  name: ${JSON.stringify(name)}`,
    `  namespace: ${JSON.stringify(namespace)}`,
    'rules:',
    ...rules.flatMap(({ apiGroups, resources, verbs }) => [
      `  - apiGroups: ${list(apiGroups)}`,
      `    resources: ${list(resources)}`,
      `    verbs: ${list(verbs)}`,
    ]),
    '---',
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: RoleBinding',
    'metadata:',
    `  name: ${JSON.stringify(name)}`,
    `  namespace: ${JSON.stringify(namespace)}`,
    'roleRef:',
    '  apiGroup: rbac.authorization.k8s.io',
    '  kind: Role',
    `  name: ${JSON.stringify(name)}`,
    'subjects:',
    ...subject,
    '',
  ].join('\n');
}
