import { whorl } from '../../../whorl.js';

export const { POST } = whorl.routes();
