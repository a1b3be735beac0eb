'use server';
import { cookies, headers } from 'next/headers';
import { createAccount, findAccount, newIdOf } from '../accounts.js';
import { whorl } from '../whorl.js';

export async function signUp(fields) {
  const { email, password } = fields;
  if (findAccount(email)) return { status: 409, body: { detail: 'There is an account with this address.' } };
  const id = newIdOf(email);
  const request = { headers: await headers(), cookies: await cookies() };
  const { reply } = await whorl.decideAction(request, fields, { action: 'signup', user: id, email });
  if (reply) return reply;
  createAccount(id, email, password);
  return { status: 200, body: { email } }; // Start the session here.
}
