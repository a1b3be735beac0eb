import { html } from 'hono/html';
import type { Settings } from '../../resources/projects/rules/settings.js';
import { passwordAgain } from '../view/forms.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { definitionList, emptyState, field, form, type Html, section, table, time } from '../view/parts.js';
import type { AlertsShown } from './load.js';

export interface AlertsView extends AlertsShown {
  readonly settings: Settings;
  /** Why the entered URL was refused. It is a secret, so it is not shown again. */
  readonly refused?: string | undefined;
}

/** Renders who gets a project's alerts, the Slack channel, and what lasts. */
export function alertsPage(frame: WorldFrame, view: AlertsView): DashboardPage {
  return {
    section: 'settings',
    title: 'Alerts',
    ...(view.refused !== undefined && { status: 422 }),
    body: html`<p class="quiet">Receivers get one message when something in the live world starts to need attention. <a href="${frame.basePath}/docs/alerts">How alerts work</a></p>
${receivers(frame, view)}
${frame.can('change_settings') && slack(frame, view)}
${openAlerts(view)}`,
  };
}

function receivers(frame: WorldFrame, { settings, slackHost }: AlertsView): Html {
  const { alert_emails: emails, alert_events: events, alert_quiet_hours: quiet, alert_weekly_summary } = settings;
  const list = definitionList([
    ['Email', emails.join(', ')],
    ['Weekly summary', emails.length > 0 && alert_weekly_summary ? 'by email, on Mondays' : undefined],
    ['Slack', slackHost === undefined ? undefined : `a channel at ${slackHost}`],
    ['Webhook endpoints', events ? 'attention.raised' : undefined],
    ['Quiet hours', quiet.from === null ? undefined : `${quiet.from}:00 to ${quiet.until}:00, ${quiet.time_zone}`],
  ]);
  const canTest = frame.can('change_settings') && (emails.length > 0 || slackHost !== undefined);
  const test = canTest && form(frame, { action: `${frame.base}/alerts/test`, submit: 'Send a test' });
  const change =
    frame.can('change_settings') && html`<p><a class="button" href="${frame.base}/settings/alerts">Change</a></p>`;
  return section('Receivers', html`${list}${change}${test}`);
}

function slack(frame: WorldFrame, { slackHost, refused }: AlertsView): Html {
  const action = `${frame.base}/alerts/slack`;
  const isSet = slackHost !== undefined;
  const set = form(frame, {
    action,
    submit: isSet ? 'Replace the URL' : 'Send alerts to Slack',
    content: [
      field({
        type: 'url',
        name: 'url',
        label: 'URL of an incoming webhook',
        hint: 'From Slack, or a system that accepts the same requests. It is a secret: Whorl stores it encrypted and does not show it again.',
        required: true,
        autocomplete: 'off',
        maxLength: 2048,
        error: refused,
      }),
      passwordAgain(frame),
    ],
  });
  const remove = isSet && form(frame, { action: `${action}/remove`, submit: 'Remove the URL', danger: true });
  return section('Slack', html`${set}${remove}`);
}

function openAlerts({ open }: AlertsView): Html {
  if (open.length === 0)
    return section('Open alerts', emptyState('Nothing needs attention. Alerts are shown here until they end.'));
  const rows = open.map(({ text, since }) => [text, time(since)]);
  return section('Open alerts', table(['What', 'Since'], rows, 'Open alerts, the oldest first'));
}
