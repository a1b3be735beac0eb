import { reasonRules } from '../../../../evaluation/rules/reasons/table.js';
import type { WeekWords } from './week-words.js';

export const week: WeekWords = {
  locale: 'en-GB',
  subject: (project) => `${project}: weekly summary`,
  intro: (project, from, to) => `${project} from ${from} to ${to}, with the figures of the week before in brackets:`,
  evaluations: 'Evaluations',
  verdicts: {
    allow: 'Allowed',
    challenge: 'Challenged',
    restrict: 'Restricted',
    challenge_and_restrict: 'Challenged and restricted',
    deny: 'Denied',
  },
  failedAttempts: 'Failed attempts',
  challenges: 'Challenges',
  completed: 'Completed, of the closed challenges',
  leadingReasons: 'Most frequent reasons',
  nameOf: (reason) => reasonRules[reason].words.title,
  waitingReviews: 'Evaluations that wait for a review',
  over: (count) => `over ${count}`,
  attention: 'This needs attention now:',
  noAttention: 'Nothing needs attention now.',
};
