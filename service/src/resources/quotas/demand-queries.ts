import { statement } from '../../ground/db/statement.js';

interface Demands {
  readonly process: string;
  /** Blind indexes of keys and addresses. */
  readonly subjects: readonly string[];
  /** Requests in the last interval, in the order of the subjects. */
  readonly demands: readonly number[];
}

/** Seconds after which the demand of a process no longer counts: some more than two intervals. */
const VALID_SECONDS = 3;
const KEPT_SECONDS = 60;

/** Saves the demand that a process has seen, and returns that of all others for the same subjects. */
export const exchangeDemands = statement<Demands, { readonly subject: string; readonly demand: number }>()`
  with old as (
    delete from request_demands where (subject, process) in (
      select subject, process from request_demands
      where at < now() - make_interval(secs => ${KEPT_SECONDS}) and process <> ${'process'}::uuid
      limit 1000 for update skip locked
    )
  ), saved as (
    insert into request_demands (process, subject, demand, at)
    select ${'process'}::uuid, s.subject, s.demand, now()
    from unnest(${'subjects'}::text[], ${'demands'}::int[]) as s (subject, demand)
    on conflict (subject, process) do update set demand = excluded.demand, at = excluded.at
  )
  select subject, sum(demand)::int as demand from request_demands
  where subject = any(${'subjects'}::text[]) and process <> ${'process'}::uuid
    and at > now() - make_interval(secs => ${VALID_SECONDS})
  group by subject`;
