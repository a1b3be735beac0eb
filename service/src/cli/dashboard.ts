import type { Command } from 'commander';
import { withService } from './with-service.js';

const linkOperations = () => import('../dashboard/sign-in/admins.js');
const adminOperations = () => import('../dashboard/sign-in/admins.js');

export function addDashboardCommands(program: Command): void {
  const dashboard = program.command('dashboard').description('Let administrators in and out (docs/dashboard.md).');
  dashboard
    .command('invite')
    .description('Print a link by which the person with this address becomes an administrator: once, within an hour.')
    .requiredOption('--email <address>', 'whose')
    .action(({ email }: { email: string }) =>
      withService(async (service) => console.log(await (await linkOperations()).makeInvitation(service, email))),
    );
  dashboard
    .command('reset')
    .description('Print a link by which an administrator sets a new password: once, within an hour.')
    .requiredOption('--email <address>', 'whose')
    .action(({ email }: { email: string }) =>
      withService(async (service) => console.log(await (await linkOperations()).makeResetLink(service, email))),
    );
  dashboard
    .command('list')
    .description('List the administrators: since when, e-mail address; the oldest first.')
    .action(() =>
      withService(async (service) => {
        const { listAdmins } = await adminOperations();
        for (const { createdAt, email } of await listAdmins(service))
          console.log(`${createdAt.toISOString()}  ${email}`);
      }),
    );
  dashboard
    .command('remove')
    .description('Take the access of an administrator, at once.')
    .requiredOption('--email <address>', 'whose')
    .action(({ email }: { email: string }) =>
      withService(async (service) => (await adminOperations()).dismissAdmin(service, email)),
    );
}
