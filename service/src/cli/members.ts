import { type Command, Option } from 'commander';
import type { Access } from '../resources/admins/links.js';
import { type Role, roles } from '../resources/admins/permissions.js';
import type { Service } from '../resources/service.js';
import { withService } from './with-service.js';

const memberChanges = () => import('../resources/admins/change-members.js');
const linkOperations = () => import('../resources/admins/links.js');

interface EmailOptions {
  readonly email: string;
}

interface RoleOptions extends EmailOptions {
  readonly role: Role;
  readonly project: string;
}

const emailOption = (command: Command, of: string) =>
  command.requiredOption('--email <address>', `email address ${of}`);

const roleOptions = (command: Command) =>
  command
    .addOption(
      new Option('--role <role>', 'role of the member (docs/dashboard.md)').choices(roles).makeOptionMandatory(),
    )
    .option('--project <name or id>', 'project of the role; not used for an owner', 'default');

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('Manage the members of the dashboard (docs/dashboard.md).');
  addInvite(member);
  addChange(member);
  addRemove(member);
  addReset(member);
  addRemoveFactors(member);
  addList(member);
}

function addInvite(member: Command): void {
  const invite = member
    .command('invite')
    .description(
      'Invite a person by email. The link works once, within 3 days. Without a mail server, the link is printed. ' +
        'Somebody who has an account gets the role at once.',
    );
  roleOptions(emailOption(invite, 'of the new member'))
    .option('--link', 'print the link instead of sending it', false)
    .action(({ email, link, ...choice }: RoleOptions & { link: boolean }) =>
      withService(async (service) => {
        const { inviteMember } = await import('../resources/admins/invite.js');
        const access = await accessOf(service, choice);
        const result = await inviteMember(service, { email, access, ...(link && { showLink: true }) });
        const lines = { added: `${email} is a member now.`, sent: `The invitation was sent to ${email}.` };
        console.log(result.outcome === 'link' ? result.link : lines[result.outcome]);
      }),
    );
}

function addChange(member: Command): void {
  const change = member
    .command('change')
    .description('Give a member another role, effective at once. A role that allows less ends their sessions.');
  roleOptions(emailOption(change, 'of the member')).action(({ email, ...choice }: RoleOptions) =>
    withService(async (service) => {
      const { changeAccess, memberIdOf } = await memberChanges();
      const memberId = await memberIdOf(service, email);
      await changeAccess(service, {
        memberId,
        scope: undefined,
        access: await accessOf(service, choice),
        origin: {},
      });
    }),
  );
}

function addRemove(member: Command): void {
  const remove = member.command('remove').description('Remove a member, effective at once.');
  emailOption(remove, 'of the member')
    .option('--project <name or id>', 'project to remove the member from (default: delete the account)')
    .action(({ email, project }: EmailOptions & { project?: string }) =>
      withService(async (service) => {
        const { removeMemberByEmail } = await memberChanges();
        const scope = project === undefined ? undefined : (await projectOf(service, project)).id;
        await removeMemberByEmail(service, email, { scope });
      }),
    );
}

function addReset(member: Command): void {
  const reset = member
    .command('reset')
    .description('Print a link to set a new password. It works once, within an hour.');
  emailOption(reset, 'of the member').action(({ email }: EmailOptions) =>
    withService(async (service) => console.log(await (await linkOperations()).makeResetLink(service, email))),
  );
}

function addRemoveFactors(member: Command): void {
  const remove = member
    .command('remove-factors')
    .description('Remove the second factors of a member who has lost them, and end their sessions.');
  emailOption(remove, 'of the member').action(({ email }: EmailOptions) =>
    withService(async (service) => {
      const { memberIdOf, removeFactorsOf } = await memberChanges();
      await removeFactorsOf(service, await memberIdOf(service, email));
    }),
  );
}

function addList(member: Command): void {
  member
    .command('list')
    .description('List all members, the oldest first: time of creation, email address, roles.')
    .action(() =>
      withService(async (service) => {
        const [{ listMembers }, { listProjects }] = await Promise.all([
          import('../resources/admins/members.js'),
          import('../resources/projects/projects.js'),
        ]);
        const names = new Map((await listProjects(service)).map(({ id, name }) => [id, name]));
        for (const { createdAt, email, isOwner, roles: inProjects } of await listMembers(service, undefined)) {
          const held = [...inProjects].map(([id, role]) => `${role} of ${names.get(id) ?? id}`);
          console.log(`${createdAt.toISOString()}  ${email}  ${isOwner ? 'owner' : held.join(', ')}`);
        }
      }),
    );
}

async function accessOf(service: Service, { role, project }: Pick<RoleOptions, 'role' | 'project'>): Promise<Access> {
  return role === 'owner' ? { role } : { role, project: await projectOf(service, project) };
}

/** @throws OperatorError if there is no such project. */
async function projectOf({ db }: Service, project: string): Promise<{ readonly id: string; readonly name: string }> {
  const { findProject } = await import('../resources/projects/find-project.js');
  const { id, name } = await findProject(db, project);
  return { id, name };
}
