import type { AlertKind } from 'whorl/wire';

/** Page of a project's world for each kind of alert. */
const pages: Readonly<Record<AlertKind, string>> = {
  unusual_rate: 'overview',
  campaign: 'evaluations?reason=credential_stuffing',
  failing_webhook: 'webhooks',
  failing_rule: 'rules',
  old_address_data: 'addresses',
  no_mail: 'overview',
  waiting_reviews: 'review',
};

/** Returns the URL of the dashboard's page about a kind of alert. */
export function linkOf(kind: AlertKind, { publicUrl, projectId }: { publicUrl: string; projectId: string }): string {
  return `${publicUrl}/dashboard/${projectId}/live/${pages[kind]}`;
}
