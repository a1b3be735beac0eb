export { type Email, parseEmail } from './email.js';
export { maskEmail, maskPhone } from './mask.js';
export { parsePhone } from './phone.js';
