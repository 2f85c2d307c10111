import type { Command } from 'commander';
import { exitCodes } from '../../base/errors.js';
import type { World } from '../../base/world.js';
import { roleText } from '../../run/cluster/role.js';

/** Adds `benchfolio cluster-role`. */
export function register(program: Command, world: World) {
  program
    .command('cluster-role')
    .summary('print the rights that load by Kubernetes needs')
    .description(
      'print a Role with the rights that load by Kubernetes needs, and a RoleBinding, for somebody who may apply them: benchfolio cluster-role | kubectl apply -f -',
    )
    .option('--namespace <name>', 'where pods are started', 'default')
    .option('--name <name>', 'the name of the role', 'benchfolio')
    .option('--service-account <name>', 'who has it: a service account of the namespace', 'default')
    .option('--user <name>', 'who has it: a user, in place of a service account')
    .action(({ namespace, name, serviceAccount, user = null }) => {
      world.stdout.write(roleText({ namespace, name, serviceAccount, user }));
      world.exitCode = exitCodes.pass;
    });
}
