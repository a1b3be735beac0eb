import { inMinutes, type PageMessages } from './messages.js';

const units = { second: ['Sekunde', 'Sekunden'], minute: ['Minute', 'Minuten'] } as const;

function wait(seconds = 0): string {
  const { count, unit } = inMinutes(seconds);
  return `${count} ${units[unit][count === 1 ? 0 : 1]}`;
}

export const de: PageMessages = {
  language: 'de',
  titles: {
    check: 'Ihr Browser wird geprüft',
    confirm: 'Sind Sie das?',
    another: 'Öffnen Sie diese Seite, wo Sie begonnen haben',
    ask: 'Bestätigen Sie, dass Sie es sind',
    enter: 'Code eingeben',
    renew: 'Neuen Code anfordern',
    noMoreCodes: 'Keine weiteren Codes',
    devices: 'Ihre Geräte',
    unreachable: 'Wir erreichen Sie nicht',
    own_factor: 'Bestätigen Sie dort, wo Sie begonnen haben',
    done: 'Vielen Dank',
    disown: 'Waren Sie das nicht?',
    disowned: 'Danke für den Hinweis',
    notice: 'Waren Sie das nicht?',
    noticed: 'Danke für den Hinweis',
    confirmed: 'Das wurde schon bestätigt',
    ended: 'Dieser Versuch ist beendet',
    expired: 'Diese Prüfung ist abgelaufen',
    invalid_link: 'Dieser Link ist nicht mehr gültig',
    failed: 'Etwas ist schiefgegangen',
    busy: 'Zu viele Anfragen',
  },
  cause(cause, project) {
    if (cause === 'too_many_devices') return `Ihr Konto bei ${project} wird auf mehr Geräten genutzt als erlaubt.`;
    if (cause === 'several_places') return `Ihr Konto bei ${project} wird an mehreren Orten gleichzeitig genutzt.`;
    if (cause === 'new_place') return `Sie nutzen ${project} mit einem neuen Gerät oder an einem neuen Ort.`;
    if (cause === 'unusual') return `Bei diesem Besuch von ${project} ist uns etwas Ungewöhnliches aufgefallen.`;
    return `Zum Schutz der Konten bei ${project} müssen wir prüfen, ob Sie es sind.`;
  },
  checkText: 'Wenn nichts geschieht, wählen Sie „Weiter“.',
  confirmText: (project) => `Jemand möchte Ihr Konto bei ${project} nutzen. Prüfen Sie, ob Sie das sind:`,
  disownText: (project) => `Jemand hat versucht, Ihr Konto bei ${project} zu benutzen:`,
  disownHint:
    'Wenn Sie das waren, schließen Sie diese Seite. Wenn nicht, verwenden Sie die Schaltfläche: Wir brechen den Versuch ab, und sein Code gilt nicht mehr.',
  noticeText: {
    new_device: (project) => `Ein neues Gerät kann Ihr Konto bei ${project} benutzen:`,
    contact_changed: (project) => `Die E-Mail-Adresse oder Telefonnummer Ihres Kontos bei ${project} wurde geändert:`,
    denied_attempt: (project) =>
      `Jemand hat das richtige Passwort Ihres Kontos bei ${project} eingegeben und wurde abgelehnt:`,
  },
  noticeHint: (hasDevice) =>
    `Wenn Sie das waren, schließen Sie diese Seite. Wenn nicht, verwenden Sie die Schaltfläche: Wir ${hasDevice ? 'melden dieses Gerät ab und sperren es' : 'brechen alle offenen Prüfungen ab'} und schützen Ihr Konto, bis Sie ein neues Passwort wählen.`,
  noticedText: (hasDevice) =>
    hasDevice
      ? 'Das Gerät ist abgemeldet und gesperrt. Alle offenen Prüfungen Ihres Kontos sind abgebrochen.'
      : 'Alle offenen Prüfungen Ihres Kontos sind abgebrochen.',
  noticedNext: (project) =>
    `Wählen Sie jetzt ein neues Passwort für ${project}. Bis dahin fragt Ihr Konto öfter nach einem Code. Prüfen Sie danach seine E-Mail-Adresse und Telefonnummer.`,
  confirmedText: (project) =>
    `Jemand hat den Code dieses Versuchs eingegeben. Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort für ${project} und melden Sie Geräte ab, die Sie nicht kennen.`,
  endedText: 'Sein Code gilt nicht mehr. Sie müssen nichts tun.',
  confirmHint: 'Wenn Ihnen jemand den Link zu dieser Seite geschickt hat, sind Sie es nicht.',
  confirmButton: 'Ja, das bin ich',
  attempt: { device: 'Gerät', place: 'Ort', network: 'Netz', time: 'Zeit', unknown: 'unbekannt' },
  anotherText: (project) =>
    `Diese Prüfung wurde in einem anderen Browser begonnen. Gehen Sie dort zurück zu ${project}, oder melden Sie sich hier erneut an.`,
  anotherWarning: (project) =>
    `Hat Ihnen jemand diesen Link geschickt? Dann kennt er möglicherweise Ihr Passwort. Wir haben keinen Code gesendet. Ändern Sie Ihr Passwort für ${project}.`,
  askHint:
    'Wir senden Ihnen einen sechsstelligen Code. Geben Sie ihn ein, um zu bestätigen, dass das Konto Ihnen gehört.',
  send: (by, to) => ['Code senden', by, to && `an ${to}`].filter(Boolean).join(' '),
  sendAgain: (by, to) => ['Neuen Code senden', by, to && `an ${to}`].filter(Boolean).join(' '),
  sentTo: (address) =>
    address
      ? `Wir haben einen Code an ${address} gesendet.`
      : 'Wenn für dieses Konto eine E-Mail-Adresse oder Telefonnummer hinterlegt ist, haben wir einen Code dorthin gesendet.',
  codeLabel: 'Code',
  codeHint: 'Sechs Ziffern, zehn Minuten gültig.',
  triesLeft: (count) => (count === 1 ? 'Sie haben noch einen Versuch.' : `Sie haben noch ${count} Versuche.`),
  enter: 'Weiter',
  anotherCode: 'Keinen Code erhalten?',
  wait: (seconds) => `Sie können in ${seconds} Sekunden einen neuen Code anfordern.`,
  noMoreCodes:
    'Für diese Prüfung können Sie keine weiteren Codes anfordern. Gehen Sie zurück und versuchen Sie es später erneut.',
  notMe: 'Das war ich nicht',
  notMeHint: (project) =>
    `Wir brechen diese Prüfung dann ab. Wenn jemand anderes Ihr Passwort für ${project} kennen könnte, ändern Sie es.`,
  notMeButton: 'Ich war es nicht',
  notice(notice, seconds) {
    const sentences = {
      wrong_code: 'Dieser Code ist falsch. Prüfen Sie ihn und versuchen Sie es erneut.',
      no_code: 'Geben Sie die sechs Ziffern des Codes ein.',
      code_expired: 'Dieser Code ist abgelaufen.',
      no_tries: 'Zu viele falsche Codes. Der gesendete Code gilt nicht mehr.',
      locked: `Zu viele falsche Codes. Versuchen Sie es in ${wait(seconds)} erneut.`,
      wait: `Sie können in ${wait(seconds)} einen neuen Code anfordern.`,
      no_more_codes:
        'Für diese Prüfung können Sie keine weiteren Codes anfordern. Gehen Sie zurück und versuchen Sie es später erneut.',
      not_sent:
        'Wir konnten den Code nicht senden. Versuchen Sie es gleich noch einmal oder wählen Sie einen anderen Weg.',
      room_needed: 'Melden Sie zuerst ein Gerät ab.',
      signed_out: 'Das Gerät wurde abgemeldet.',
    };
    return sentences[notice];
  },
  verified: 'Ihr Code ist richtig.',
  roomNeeded: 'Melden Sie ein Gerät ab, das Sie nicht mehr nutzen, um Platz für dieses zu schaffen.',
  devicesHint: 'Wenn eines dieser Geräte nicht Ihnen gehört, melden Sie es ab und ändern Sie Ihr Passwort.',
  thisDevice: 'dieses Gerät',
  lastSeen: (when) => `zuletzt ${when}`,
  address: (address) => `IP-Adresse ${address}`,
  signOut: 'Abmelden',
  finish: 'Weiter',
  doneText: 'Dieses Gerät ist jetzt bestätigt. Sie werden hier für einige Zeit nicht nach einem Code gefragt.',
  goBack: (project) => `Zurück zu ${project}`,
  closePage: (project) => `Sie können zu ${project} zurückgehen.`,
  unreachableText: (project) =>
    `Für Ihr Konto ist weder eine E-Mail-Adresse noch eine Telefonnummer hinterlegt. Wenden Sie sich an ${project}.`,
  ownFactorText: (project) =>
    `Für diese Prüfung senden wir keinen Code. Gehen Sie zurück zu ${project} und bestätigen Sie dort, dass Sie es sind, zum Beispiel mit Ihrem Passkey.`,
  disownedText: (project) =>
    `Wir haben diese Prüfung abgebrochen; niemand kann sie mehr verwenden. Wenn jemand anderes Ihr Passwort für ${project} kennen könnte, ändern Sie es.`,
  expiredText: (project) => `Gehen Sie zurück zu ${project} und melden Sie sich erneut an.`,
  invalidLinkText: (project) =>
    `Links gelten einmal und nur wenige Minuten. Gehen Sie zurück zu ${project} und melden Sie sich erneut an.`,
  failedText: 'Versuchen Sie es gleich noch einmal.',
  busyText: 'Warten Sie einen Moment und versuchen Sie es dann erneut.',
};
