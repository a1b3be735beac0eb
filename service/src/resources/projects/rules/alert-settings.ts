import { z } from 'zod';
import { type alertKinds, languages } from '../../../ground/vocabulary.js';

const hourOfDay = () => z.number().int().min(0).max(23).nullable().default(null);
const receivers = () => z.array(z.string()).max(20, 'must be at most 20 addresses').default([]);

/** Settings of a project about alerts. */
export const alertSettings = {
  alert_emails: receivers().describe('Email addresses that get alerts (docs/alerts.md).'),
  alert_events: z
    .boolean()
    .default(false)
    .describe('Whether webhook endpoints of the live world get the event `attention.raised` when an alert begins.'),
  alert_kinds: z
    .object({
      unusual_rate: z.boolean().default(true).describe('A rate differs from the same hour of earlier weeks.'),
      campaign: z.boolean().default(true).describe('Evaluations belong to a campaign of credential stuffing.'),
      failing_webhook: z.boolean().default(true).describe('A webhook endpoint fails or was switched off.'),
      failing_rule: z.boolean().default(true).describe('The condition of a rule fails.'),
      old_address_data: z.boolean().default(true).describe('Data about IP addresses is old.'),
      no_mail: z.boolean().default(true).describe('No mail server is configured.'),
      waiting_reviews: z.boolean().default(false).describe('Evaluations wait for a review.'),
    } satisfies Record<(typeof alertKinds)[number], z.ZodType>)
    .prefault({})
    .describe('What alerts are sent about.'),
  alert_language: z.enum(languages).default('en').describe('The language of alerts by email and to Slack.'),
  alert_quiet_hours: z
    .object({
      from: hourOfDay().describe('First hour without messages, from 0 to 23. None: there are no quiet hours.'),
      until: hourOfDay().describe('Hour in which messages are sent again.'),
      time_zone: z.string().max(64).default('UTC').describe('Time zone, such as `Europe/Berlin`.'),
    })
    .prefault({})
    .describe(
      'Hours of each day in which no alert is sent by email or to Slack. What begins in them is sent afterwards, in one message.',
    ),
  alert_weekly_summary: z
    .boolean()
    .default(true)
    .describe('Whether the email addresses that get alerts also get a summary of the last week, on Mondays.'),
};
