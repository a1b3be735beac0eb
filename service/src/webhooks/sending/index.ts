export { createWebhookClient, type WebhookClient, type WebhookClientOptions, type WebhookRequest } from './client.js';
export { ReceiverRefused, type Resolve } from './receiver.js';
export { createWebhookSecret, webhookHeaders } from './sign.js';
