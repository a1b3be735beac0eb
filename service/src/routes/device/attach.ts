import { endpoint } from '../../http/endpoint.js';
import { attach as attachDevice } from '../../operations/attach.js';
import { attachAnswer } from '../../schemas/answers.js';
import { attachRequest } from '../../schemas/requests.js';
import { contactsOf } from '../contacts.js';
import { warnAboutDevice } from './warn.js';

export const attach = endpoint(
  {
    method: 'post',
    path: '/v2/device/attach',
    operationId: 'attachDevice',
    tag: 'Devices',
    summary: 'Attach a device to a user',
    description:
      'For a user whom you have let in by your own means. Over the limits, the device waits for a challenge.',
    body: attachRequest,
    answer: attachAnswer,
    warns: true,
  },
  (request) => {
    const { service, caller, body } = request;
    warnAboutDevice(request, body);
    const { email: _email, phone: _phone, ...rest } = body;
    return attachDevice(service, caller, { ...rest, ...contactsOf(request, body) });
  },
);
