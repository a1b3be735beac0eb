export { type DeliveryFailure, DeliveryUnavailable } from './errors.js';
export {
  type CodeMessage,
  createSender,
  type Mail,
  type MailOptions,
  type MessageSender,
  type SenderOptions,
  type TextOptions,
} from './sender.js';
