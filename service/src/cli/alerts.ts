import { type Command, Option } from 'commander';
import { OperatorError } from '../ground/operator-error.js';
import { projectOption, withService } from './with-service.js';

interface ProjectChoice {
  readonly project: string;
}

const slackOperations = () => import('../effects/alerts/slack.js');

export function addAlertCommands(program: Command): void {
  const alerts = program.command('alerts').description('Choose the Slack channel of alerts (docs/alerts.md).');
  alerts
    .command('slack')
    .description('Show the host to which alerts are sent, or change the URL.')
    .addOption(projectOption())
    .addOption(new Option('--set', 'read the URL of an incoming webhook from standard input').conflicts('remove'))
    .option('--remove', 'stop sending alerts to Slack')
    .action((options: ProjectChoice & { set?: true; remove?: true }) => changeSlack(options));
  alerts
    .command('test')
    .description('Send a test message to each receiver of alerts.')
    .addOption(projectOption())
    .action(({ project }: ProjectChoice) =>
      withService(async (service) => {
        const { tryAlerts } = await import('../effects/alerts/try-alerts.js');
        const outcomes = await tryAlerts(service, { project });
        for (const { receiver, failure } of outcomes) console.log(`${receiver}  ${failure ?? 'sent'}`);
        if (outcomes.some(({ failure }) => failure !== undefined)) throw new OperatorError('Not all were sent.');
      }),
    );
}

async function changeSlack({ project, set, remove }: ProjectChoice & { set?: true; remove?: true }): Promise<void> {
  const url = set ? await readUrl() : undefined;
  await withService(async (service) => {
    const { readSlackHost, removeSlack, setSlack } = await slackOperations();
    const { commandLine } = await import('../resources/projects/setting-log.js');
    if (url !== undefined) await setSlack(service, { project, url, changedBy: commandLine });
    if (remove) await removeSlack(service, { project, changedBy: commandLine });
    console.log((await readSlackHost(service, { project })) ?? 'none');
  });
}

/** Reads the URL from standard input, because arguments are visible to other users of the machine. */
async function readUrl(): Promise<string> {
  process.stdin.setEncoding('utf8');
  let text = '';
  for await (const part of process.stdin) {
    text += String(part);
    if (text.length > 10_000) throw new OperatorError('The URL is too long.');
  }
  return text.trim();
}
