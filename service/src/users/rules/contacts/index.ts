export { type Email, parseEmail } from './email.js';
export { maskEmail, maskPhone } from './mask.js';
export { isPhoneCountry, parsePhone } from './phone.js';
export { type ContactKind, type Contacts, readContacts, unreadableContact } from './read.js';
