/** Kinds of entries in the audit log, with their labels. Other kinds are shown by name. */
export const auditKinds = {
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  password_confirmed: 'Password confirmed',
  sign_in_confirmed: 'Sign-in confirmed with the provider',
  signed_out: 'Signed out',
  sessions_ended: 'Sessions ended',
  password_changed: 'Password changed',
  password_reset: 'Password reset',
  identity_linked: 'Account linked to its sign-in provider',
  second_factor_added: 'Second factor added',
  second_factor_removed: 'Second factor removed',
  recovery_codes_renewed: 'Recovery codes created',
  installation_changed: 'Installation changed',
  link_created: 'Link created',
  link_used: 'Link used',
  invitation_revoked: 'Invitation revoked',
  member_added: 'Member added',
  role_changed: 'Role changed',
  member_removed: 'Member removed',
  project_created: 'Project created',
  settings_changed: 'Settings changed',
  list_entries_added: 'Added to a list',
  list_entries_ended: 'Removed from a list',
  view_saved: 'View of a list saved',
  view_replaced: 'View of a list replaced',
  view_renamed: 'View of a list renamed',
  view_removed: 'View of a list removed',
  key_created: 'Key created',
  key_rotated: 'Key rotated',
  key_revoked: 'Key revoked',
  signing_key_rotated: 'Signing key rotated',
  secrets_resealed: 'Stored secrets resealed',
  tables_distributed: 'Tables distributed over servers',
  webhook_added: 'Webhook endpoint added',
  webhook_removed: 'Webhook endpoint removed',
  webhook_enabled: 'Webhook endpoint switched on',
  webhook_secret_rotated: 'Webhook secret rotated',
  slack_set: 'Slack channel for alerts set',
  slack_removed: 'Slack channel for alerts removed',
  suspend: 'User suspended',
  activate: 'User suspension lifted',
  detach: 'Device signed out',
  block: 'Device blocked',
  unblock: 'Device unblocked',
  disown: 'Device or change not recognised by the user',
  trust: 'Device trusted permanently',
  distrust: 'Permanent trust withdrawn',
  bulk_action: 'Action on many rows',
  bulk_action_undone: 'Action on many rows undone',
  label_fraud: 'Evaluation labelled as fraud',
  label_legitimate: 'Evaluation labelled as legitimate',
  label_removed: 'Label of an evaluation removed',
  review_taken: 'Review taken',
  review_set_aside: 'Evaluation set aside',
  device_updated: 'Device updated',
  device_metadata_changed: "Device's metadata changed",
  user_updated: 'User updated',
  users_imported: 'Users imported',
  assistant_read: 'Read by an assistant',
  user_exported: 'User exported',
  users_exported: 'Users exported',
  devices_exported: 'Devices exported',
  challenges_exported: 'Challenges exported',
  evaluations_exported: 'Evaluations exported',
  user_erased: 'User erased',
  audit_exported: 'Audit log exported',
  chain_started: 'Chain of entries begun',
  chain_restarted: 'Chain of entries continued without its end',
} as const;
export type AuditKind = keyof typeof auditKinds;

/** Kinds of entries about members, users and devices. All others with values before and after are about the project. */
export const kindsAboutPeople: readonly AuditKind[] = [
  'member_added',
  'role_changed',
  'member_removed',
  'suspend',
  'activate',
  'user_updated',
  'detach',
  'block',
  'unblock',
  'disown',
  'trust',
  'distrust',
  'device_updated',
  'label_fraud',
  'label_legitimate',
  'label_removed',
];

/** Retention of entries, in days. Longer than a year, so that a yearly review sees all of it. */
export const auditRetentionDays = 400;

export function isAuditKind(text: string | null | undefined): text is AuditKind {
  return typeof text === 'string' && Object.hasOwn(auditKinds, text);
}

/** Returns the label of an entry's kind. */
export function describeAuditKind(kind: string): string {
  return isAuditKind(kind) ? auditKinds[kind] : kind.replaceAll('_', ' ');
}
