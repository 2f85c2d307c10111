import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roleText, rules } from '../../dist/run/cluster/role.js';
import { benchfolio } from '../support/cli.js';

describe('the rights in a cluster', () => {
  it('read no secret and no ConfigMap, and touch nothing that is not a Job', () => {
    for (const { resources, verbs } of rules) {
      if (resources.includes('secrets')) assert.deepEqual(verbs, ['create']);
      if (verbs.includes('delete')) assert.deepEqual(resources, ['jobs']);
      assert.ok(![...resources, ...verbs].includes('*'));
    }
  });
  it('are printed for a service account or a user', async () => {
    const { code, stdout } = await benchfolio(['cluster-role', '--namespace', 'load', '--service-account', 'ci']);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /kind: Role\n[\s\S]*namespace: "load"[\s\S]*kind: RoleBinding[\s\S]*kind: ServiceAccount\n {4}name: "ci"/,
    );
    const user = roleText({ namespace: 'load', name: 'b', serviceAccount: null, user: 'a@example.com' });
    assert.match(user, /- kind: User\n {4}name: "a@example.com"\n {4}apiGroup: rbac.authorization.k8s.io/);
  });
});
