import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Whorl } from 'whorl/server';
import { Site } from '../http/site.js';
import { hostNames, type Options } from '../options.js';
import { save } from '../saved-file.js';
import { prepareService } from '../service/prepare.js';
import { command } from '../service/run.js';
import { StartError } from '../start-error.js';
import { Clock } from './clock.js';
import { People } from './people.js';
import { Random } from './random.js';
import { startReceiver } from './receiver.js';
import { type SeedService, startSeedService } from './service.js';
import { Shop } from './shop.js';
import { attacks } from './stories/attacks.js';
import { fraud } from './stories/fraud.js';
import { ordinary } from './stories/ordinary.js';
import { sharing } from './stories/sharing.js';
import { Tally } from './tally.js';
import { DAY_MS, Timeline } from './timeline.js';

/** Seed of the random numbers, fixed so that the people are the same each time. */
const RANDOM_SEED = 20_261_121;
/** Time between the end of the history and now. The clock runs on during each step, and no event may be in the future. */
const MARGIN_MS = 5 * 60_000;

/** The result of a seed, or of an earlier one. */
export interface Seeded {
  readonly isNew: boolean;
  readonly from: string;
  readonly to: string;
  readonly made: Readonly<Record<string, number>>;
}

type OnProgress = (share: number) => void;

interface Period {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Fills the demo's project with some weeks of history, through the HTTP API, with the service's clock set back. Does
 * nothing if the folder already has the history.
 *
 * @param onProgress Called with the progress, from 0 to 1.
 * @throws StartError if something prevents it, such as a running demo or an interrupted seed.
 */
export async function seed(options: Options, onProgress: OnProgress): Promise<Seeded> {
  const file = join(options.dataFolder, 'seed.json');
  if (existsSync(file)) return { ...parseSeeded(await readFile(file, 'utf8'), options.dataFolder), isNew: false };
  await mkdir(options.dataFolder, { recursive: true, mode: 0o700 });
  const to = new Date(Date.now() - MARGIN_MS);
  // Starts at midnight, so that people act at plausible times of day.
  const from = new Date(Math.floor(to.getTime() / DAY_MS - options.seedDays) * DAY_MS);
  const period = { from: from.toISOString(), to: to.toISOString() };
  const closers: (() => Promise<void>)[] = [];
  try {
    const made = await fill(options, { from, to }, { onProgress, closers, onBegin: () => save(file, period) });
    await save(file, { ...period, made });
    return { isNew: true, ...period, made };
  } finally {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
  }
}

interface FillOptions {
  readonly onProgress: OnProgress;
  /** Receives functions that stop what was started. */
  readonly closers: (() => Promise<void>)[];
  /** Called before the first event is created. */
  readonly onBegin: () => Promise<void>;
}

async function fill(
  options: Options,
  { from, to }: Period,
  { onProgress, closers, onBegin }: FillOptions,
): Promise<Readonly<Record<string, number>>> {
  const tally = new Tally();
  const clock = new Clock();
  const day = () => (clock.now().getTime() - from.getTime()) / DAY_MS;
  const receiver = await startReceiver(options, day);
  closers.push(() => receiver.close());
  const site = new Site(hostNames(options.host), receiver.port, options.servicePort);
  const { environment, mailbox, project } = await prepareService(options, site, closers);
  // The recipient of notices about shared accounts.
  const setting = ['settings', 'set', '--project', project.id, 'admin_email', '"fraud-team@whorl.example"'];
  await command(setting, environment);
  const onAttempt = (outcome: 'delivered' | 'failed') => tally.webhook(outcome);
  const service = await startSeedService(environment, clock, onAttempt);
  closers.push(() => service.close());
  await onBegin();
  clock.beginAt(from);
  const apiSecret = project.keys[options.keys].secret;
  const whorl = new Whorl({ apiSecret, baseUrl: service.url, retries: 0 });
  const shop = new Shop(whorl, { clock, mailbox, tally });
  await runStories(service, new Timeline((to.getTime() - from.getTime()) / DAY_MS), {
    shop,
    clock,
    tally,
    from,
    onProgress,
  });
  await service.recount();
  return tally.counts;
}

interface StoryOptions {
  readonly shop: Shop;
  readonly clock: Clock;
  readonly tally: Tally;
  readonly from: Date;
  readonly onProgress: OnProgress;
}

async function runStories(
  service: SeedService,
  timeline: Timeline,
  { shop, clock, tally, from, onProgress }: StoryOptions,
): Promise<void> {
  const random = new Random(RANDOM_SEED);
  const reportSharing = async (user: string) => {
    const { data } = await shop.whorl.users.devices(user, { limit: 1 });
    const [device] = data;
    if (device) await service.reportSharing(device.user);
  };
  const stage = { random, people: new People(random), shop, timeline, tally, reportSharing };
  for (const story of [ordinary, sharing, fraud, attacks]) story(stage);
  for (let day = 0.5; day < timeline.days; day++) timeline.plan(day, () => service.maintain());
  await timeline.run(clock, from, async (passed) => {
    await service.deliver();
    onProgress(passed);
  });
}

function parseSeeded(text: string, folder: string): Omit<Seeded, 'isNew'> {
  try {
    const { from, to, made } = JSON.parse(text);
    if (made !== undefined) return { from, to, made };
  } catch {
    // Reported below.
  }
  throw new StartError(`A seed was interrupted in ${folder}. Remove that folder to start again.`);
}
