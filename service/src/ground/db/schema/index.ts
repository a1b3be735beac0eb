import type { AlertMessageTable, AlertTable, SlackWebhookTable, WeeklySummaryTable } from './alerts.js';
import type { BulkActionTable } from './bulk-actions.js';
import type {
  ActivityCountTable,
  ActivityFoldTable,
  AdminIdentityTable,
  AdminLinkTable,
  AdminPasskeyTable,
  AdminRecoveryCodeTable,
  AdminSessionTable,
  AdminTable,
  AuditHeadTable,
  AuditTable,
  ForwarderTable,
  InstallationSettingTable,
  ProjectMemberTable,
  RequestDemandTable,
  SignInFailureTable,
} from './dashboard.js';
import type {
  ChallengeTable,
  ChallengeVisitTable,
  ClaimTable,
  CounterTable,
  EvaluationTable,
  FailureBaselineTable,
  IdempotencyTable,
  VelocityBatchTable,
  VelocityCountTable,
} from './evaluations.js';
import type {
  EventOnceTable,
  EventTable,
  JobTable,
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookEndpointTable,
} from './events.js';
import type { CrowdTable, IdentityMergeTable, IdentityTable, VariantTable } from './fingerprints.js';
import type { ListEntryTable } from './lists.js';
import type {
  DeviceKeyTable,
  DeviceTable,
  DeviceVariantTable,
  MarkTable,
  NoticeTable,
  SpentNonceTable,
  UserAddressTable,
  UserTable,
} from './people.js';
import type { ApiKeyTable, ProjectTable, WorldTable } from './projects.js';
import type { ReviewTable } from './reviews.js';
import type { RuleReplayTable } from './rule-replays.js';
import type { RuleSearchTable } from './rule-searches.js';
import type { SavedViewTable } from './saved-views.js';
import type { KeyRingTable, SigningKeyTable } from './secrets.js';

export type * from './alerts.js';
export type * from './bulk-actions.js';
export type * from './dashboard.js';
export type * from './evaluations.js';
export type * from './events.js';
export type * from './fingerprints.js';
export type * from './lists.js';
export type * from './people.js';
export type * from './projects.js';
export type * from './reviews.js';
export type * from './rule-replays.js';
export type * from './rule-searches.js';
export type * from './saved-views.js';
export type * from './secrets.js';

/** All tables, by name. */
export interface Schema {
  projects: ProjectTable;
  worlds: WorldTable;
  api_keys: ApiKeyTable;
  users: UserTable;
  user_addresses: UserAddressTable;
  identities: IdentityTable;
  identity_merges: IdentityMergeTable;
  variants: VariantTable;
  devices: DeviceTable;
  device_variants: DeviceVariantTable;
  device_keys: DeviceKeyTable;
  spent_nonces: SpentNonceTable;
  evaluations: EvaluationTable;
  reviews: ReviewTable;
  bulk_actions: BulkActionTable;
  rule_replays: RuleReplayTable;
  rule_searches: RuleSearchTable;
  claims: ClaimTable;
  challenges: ChallengeTable;
  challenge_visits: ChallengeVisitTable;
  notices: NoticeTable;
  counters: CounterTable;
  velocity_counts: VelocityCountTable;
  velocity_batches: VelocityBatchTable;
  failure_baselines: FailureBaselineTable;
  crowds: CrowdTable;
  events: EventTable;
  event_onces: EventOnceTable;
  webhook_endpoints: WebhookEndpointTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_attempts: WebhookAttemptTable;
  alerts: AlertTable;
  alert_messages: AlertMessageTable;
  slack_webhooks: SlackWebhookTable;
  weekly_summaries: WeeklySummaryTable;
  saved_views: SavedViewTable;
  idempotency: IdempotencyTable;
  jobs: JobTable;
  request_demands: RequestDemandTable;
  marks: MarkTable;
  audit_log: AuditTable;
  audit_head: AuditHeadTable;
  forwarders: ForwarderTable;
  admins: AdminTable;
  admin_sessions: AdminSessionTable;
  admin_links: AdminLinkTable;
  project_members: ProjectMemberTable;
  admin_identities: AdminIdentityTable;
  admin_passkeys: AdminPasskeyTable;
  admin_recovery_codes: AdminRecoveryCodeTable;
  installation_settings: InstallationSettingTable;
  sign_in_failures: SignInFailureTable;
  activity_counts: ActivityCountTable;
  activity_folds: ActivityFoldTable;
  key_ring: KeyRingTable;
  signing_keys: SigningKeyTable;
  list_entries: ListEntryTable;
}
