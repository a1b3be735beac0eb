/** Roles in one project, the least first. */
export const projectRoles = ['viewer', 'analyst', 'administrator'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** All roles, the least first. An owner belongs to the installation and has the role in every project. */
export const roles = [...projectRoles, 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * What operators can be allowed to do, each with the least role that is allowed to. Pages, forms and the navigation of the
 * dashboard ask this table, and so do the tests of access and docs/access.md.
 */
export const permissions = {
  use_account: { least: 'viewer', words: 'sign in, use your own account, and see the list of your projects' },
  view: {
    least: 'viewer',
    words: 'see the overview, users, devices, challenges, evaluations, the review queue and lists',
  },
  view_settings: { least: 'viewer', words: 'see the settings and rules, and who changed them' },
  act: {
    least: 'analyst',
    words: 'suspend users, sign out, block and trust devices, review and label evaluations, and change lists',
  },
  export_lists: { least: 'analyst', words: 'download what matches the filter of a list' },
  export_and_erase: { least: 'administrator', words: 'export and erase users' },
  change_settings: { least: 'administrator', words: 'change the settings' },
  manage_keys: { least: 'administrator', words: 'see, create, rotate and revoke keys' },
  manage_webhooks: { least: 'administrator', words: 'see and change webhook endpoints, and send events again' },
  manage_members: { least: 'administrator', words: "see, invite, change and remove the project's members" },
  view_audit_log: { least: 'administrator', words: "see the project's part of the audit log" },
  manage_installation: {
    least: 'owner',
    words: 'create projects, manage the members of all projects and other owners, and see the whole audit log',
  },
} as const satisfies Readonly<Record<string, { readonly least: Role; readonly words: string }>>;
export type Permission = keyof typeof permissions;

/** Returns whether a role is allowed to do something. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return isAtLeast(role, permissions[permission].least);
}

/** Returns whether a role includes everything that another one allows. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

export function isRole(text: string | null | undefined): text is Role {
  return roles.some((role) => role === text);
}
