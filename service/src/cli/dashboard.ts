import type { Command } from 'commander';
import { withService } from './with-service.js';

const adminOperations = () => import('../operations/dashboard/admins.js');

export function addDashboardCommands(program: Command): void {
  const dashboard = program.command('dashboard').description('Let administrators in and out (docs/dashboard.md).');
  dashboard
    .command('link')
    .description('Print a link, good once and for an hour, to become an administrator or to set a new password.')
    .action(() =>
      withService(async (service) => {
        const { makeAdminLink } = await import('../operations/dashboard/admin-links.js');
        console.log(await makeAdminLink(service, { forFirst: false }));
      }),
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
