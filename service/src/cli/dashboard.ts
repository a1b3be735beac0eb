import type { Command } from 'commander';
import { withService } from './with-service.js';

const linkOperations = () => import('../resources/admins/admins.js');
const adminOperations = () => import('../resources/admins/admins.js');

export function addDashboardCommands(program: Command): void {
  const dashboard = program.command('dashboard').description('Manage administrators (docs/dashboard.md).');
  dashboard
    .command('invite')
    .description('Print a link to become an administrator. It works once, within an hour.')
    .requiredOption('--email <address>', 'email address of the new administrator')
    .action(({ email }: { email: string }) =>
      withService(async (service) => console.log(await (await linkOperations()).makeInvitation(service, email))),
    );
  dashboard
    .command('reset')
    .description('Print a link to set a new password. It works once, within an hour.')
    .requiredOption('--email <address>', 'email address of the administrator')
    .action(({ email }: { email: string }) =>
      withService(async (service) => console.log(await (await linkOperations()).makeResetLink(service, email))),
    );
  dashboard
    .command('list')
    .description('List administrators, the oldest first: time of creation, email address.')
    .action(() =>
      withService(async (service) => {
        const { listAdmins } = await adminOperations();
        for (const { createdAt, email } of await listAdmins(service))
          console.log(`${createdAt.toISOString()}  ${email}`);
      }),
    );
  dashboard
    .command('remove')
    .description('Remove an administrator, effective at once.')
    .requiredOption('--email <address>', 'email address of the administrator')
    .action(({ email }: { email: string }) =>
      withService(async (service) => (await adminOperations()).dismissAdmin(service, email)),
    );
}
