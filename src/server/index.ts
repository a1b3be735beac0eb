export type { Signal } from '../signal.js';
export type { AgentJwk } from './agents/keys.js';
export type { KnownAgent, VerifyAgentOptions } from './agents/options.js';
export type { AgentRequest } from './agents/request.js';
export { verifyAgent } from './agents/verify-agent.js';
export { browserOf } from './browser-of.js';
export {
  type ConnectionErrorCode,
  type VerificationErrorCode,
  WhorlApiError,
  WhorlArgumentError,
  WhorlClientError,
  WhorlConnectionError,
  WhorlVerificationError,
} from './errors.js';
export { forwardedFor } from './forwarded-for.js';
export type { RequestHeaders } from './headers.js';
export type { CallOptions, EvaluateOptions, WhenUnavailable, WhorlOptions, WriteOptions } from './options.js';
export type { CursorList, PagedList } from './paging.js';
export type { Fetch, FetchInit, FetchResponse } from './platform.js';
export type { ReplacedProject, ReplaceProjectOptions, RetrievedProject } from './resources/project.js';
export { type TokenExpectations, type VerifyTokenOptions, verifyToken } from './token.js';
export { verifyWebhook, type WebhookHeaders } from './webhook.js';
export type { WebhookBody } from './webhook-body.js';
export { type EvaluationResult, type UnavailableEvaluation, Whorl } from './whorl.js';
