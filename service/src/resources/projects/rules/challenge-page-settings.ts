import { z } from 'zod';
import { languages } from '../../../ground/vocabulary.js';
import { isReturnEntry } from './return-addresses.js';

/** Format of a colour. */
const colourForm = /^#[0-9a-fA-F]{6}$/;

const colour = () => z.string().regex(colourForm, 'must be a colour such as #2457c5').nullable().default(null);

/** The setting `challenge_page` of a project. */
export const challengePageSettings = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .nullable()
      .default(null)
      .describe("Name shown in the heading and the texts. None: the project's name."),
    logo_url: z
      .url({ protocol: /^https?$/, error: 'must be an address that begins with https:// or http://' })
      .nullable()
      .default(null)
      .describe('Address of the logo. The page allows images from its origin only. None: no logo.'),
    colour: colour().describe('Colour of the main button, such as `#2457c5`. None: the default colour.'),
    colour_dark: colour().describe('Colour of the main button in dark mode. None: the same as `colour`.'),
    language: z
      .enum(languages)
      .nullable()
      .default(null)
      .describe("Language of the page. None: the browser's language."),
    scope: z
      .string()
      .max(200)
      .default('')
      .describe(
        'The `scope` of the fingerprints that your pages send. The page compares its own fingerprint with theirs.',
      ),
    return_addresses: z
      .array(z.string().refine(isReturnEntry, 'must be an origin, or an address without a query'))
      .default([])
      .describe(
        'Addresses that the page may redirect to, in addition to `allowed_origins`: origins, or addresses with a path, which allow everything under that path.',
      ),
  })
  .prefault({})
  .describe('Appearance of the managed challenge page, and addresses that it may redirect to.');
