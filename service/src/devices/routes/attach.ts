import { warnAboutDevice } from '../../evaluation/routes/warn.js';
import { endpoint } from '../../http/endpoint.js';
import { attachAnswer } from '../../http/schemas/answers.js';
import { attachRequest } from '../../http/schemas/requests.js';
import { contactsOf } from '../../users/routes/contacts.js';
import { attach as attachDevice } from '../attach.js';

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
