import type { Channel } from 'whorl/wire';
import { inMinutes, type PageMessages } from './messages.js';

const by: Readonly<Record<Channel, string>> = { email: 'per E-Mail', text: 'per SMS' };
const to = (channel: Channel | undefined, address: string | undefined) =>
  [channel && by[channel], address && `an ${address}`].filter(Boolean).join(' ');
const units = { second: ['Sekunde', 'Sekunden'], minute: ['Minute', 'Minuten'] } as const;

function wait(seconds = 0): string {
  const { count, unit } = inMinutes(seconds);
  return `${count} ${units[unit][count === 1 ? 0 : 1]}`;
}

export const de: PageMessages = {
  language: 'de',
  titles: {
    ask: 'Sind Sie es?',
    enter: 'Code eingeben',
    devices: 'Ihre Geräte',
    unreachable: 'Wir erreichen Sie nicht',
    done: 'Vielen Dank',
    disowned: 'Danke für den Hinweis',
    over: 'Das ist abgeschlossen',
    gone: 'Dieser Link gilt nicht mehr',
    failed: 'Hier ist etwas schiefgegangen',
    busy: 'Zu viele Anfragen',
  },
  cause(cause, project) {
    if (cause === 'too_many_devices') return `Ihr Konto bei ${project} wird auf mehr Geräten benutzt als erlaubt.`;
    if (cause === 'several_places') return `Ihr Konto bei ${project} wird an mehreren Orten zugleich benutzt.`;
    if (cause === 'new_place')
      return `Sie benutzen ${project} mit einem Gerät oder an einem Ort, den wir noch nicht kennen.`;
    if (cause === 'unusual') return `An diesem Besuch bei ${project} ist etwas ungewöhnlich.`;
    return `Zum Schutz der Konten bei ${project} prüfen wir, ob Sie es sind.`;
  },
  askHint: 'Wir senden Ihnen einen Code aus sechs Ziffern. Mit ihm zeigen Sie, dass das Konto Ihnen gehört.',
  send: (channel, address) => ['Code senden', to(channel, address)].filter(Boolean).join(' '),
  sendAgain: (channel, address) => ['Neuen Code senden', to(channel, address)].filter(Boolean).join(' '),
  sentTo: (address) =>
    address
      ? `Wir haben einen Code an ${address} gesendet.`
      : 'Wenn zu dem Konto eine Adresse gehört, die wir erreichen, ist ein Code unterwegs.',
  codeLabel: 'Code',
  codeHint: 'Sechs Ziffern, zehn Minuten lang gültig.',
  triesLeft: (count) => (count === 1 ? 'Sie haben noch einen Versuch.' : `Sie haben noch ${count} Versuche.`),
  enter: 'Weiter',
  anotherCode: 'Kein Code?',
  wait: (seconds) => `Ein weiterer kann in ${seconds} Sekunden gesendet werden.`,
  noMoreCodes: 'Hier können keine weiteren Codes gesendet werden. Gehen Sie zurück und versuchen Sie es später.',
  notMe: 'Das war ich nicht',
  notMeHint: (project) =>
    `Dann kommt damit niemand hinein. Wenn jemand anderes Ihr Passwort für ${project} kennt, ändern Sie es.`,
  notMeButton: 'Ich war es nicht',
  notice(notice, seconds) {
    const sentences = {
      wrong_code: 'Dieser Code ist falsch.',
      no_code: 'Ein Code hat sechs Ziffern.',
      code_expired: 'Dieser Code ist zu alt. Lassen Sie sich einen neuen senden.',
      no_tries: 'Dieser Code wurde zu oft versucht. Lassen Sie sich einen neuen senden.',
      locked: `Es gab zu viele falsche Codes. Versuchen Sie es in ${wait(seconds)} wieder.`,
      wait: `Ein weiterer Code kann in ${wait(seconds)} gesendet werden.`,
      no_more_codes: 'Hier können keine weiteren Codes gesendet werden.',
      not_sent: 'Der Code konnte nicht gesendet werden. Versuchen Sie es gleich noch einmal, oder auf anderem Weg.',
      room_needed: 'Melden Sie zuerst ein Gerät ab.',
      signed_out: 'Das Gerät ist abgemeldet.',
    };
    return sentences[notice];
  },
  verified: 'Der Code war richtig.',
  roomNeeded: 'Melden Sie ein Gerät ab, das Sie nicht mehr brauchen; dann ist für dieses Platz.',
  devicesHint: 'Ist eines dabei, das nicht Ihnen gehört? Melden Sie es ab, und ändern Sie Ihr Passwort.',
  thisDevice: 'dieses Gerät',
  lastSeen: (when) => `zuletzt ${when}`,
  address: (address) => `Adresse ${address}`,
  signOut: 'Abmelden',
  finish: 'Weiter',
  doneText: 'Dieses Gerät ist jetzt bekannt. Hier werden Sie für einige Zeit nicht wieder gefragt.',
  goBack: (project) => `Zurück zu ${project}`,
  closePage: (project) => `Sie können zu ${project} zurückgehen.`,
  unreachableText: (project) =>
    `Es gibt weder eine Telefonnummer noch eine E-Mail-Adresse für einen Code. Bitten Sie ${project} um Hilfe.`,
  disownedText: (project) =>
    `Damit kommt niemand hinein. Wenn jemand Ihr Passwort kennt, ändern Sie es bei ${project}.`,
  overText: (project) =>
    `Diese Prüfung wurde beendet oder hat zu lange gedauert. Gehen Sie zurück zu ${project} und versuchen Sie es noch einmal.`,
  goneText: (project) =>
    `Er gilt einmal und wenige Minuten lang. Gehen Sie zurück zu ${project} und versuchen Sie es noch einmal.`,
  failedText: 'Versuchen Sie es gleich noch einmal.',
  busyText: 'Warten Sie einen Moment, und versuchen Sie es noch einmal.',
};
