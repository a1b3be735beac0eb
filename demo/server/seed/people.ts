import { computers, Device, phones } from './device.js';
import type { Random } from './random.js';
import type { Customer } from './shop.js';

const firstNames = [
  ...['Ada', 'Anton', 'Bela', 'Carla', 'Dario', 'Edith', 'Emil', 'Farida', 'Felix', 'Greta', 'Hanna', 'Ivo', 'Jana'],
  ...['Kai', 'Lena', 'Leo', 'Mara', 'Milan', 'Nora', 'Oskar', 'Paula', 'Quentin', 'Rosa', 'Selim', 'Tilda', 'Vera'],
];
const lastNames = [
  ...['Adler', 'Baum', 'Claes', 'Dorn', 'Engel', 'Falk', 'Gruber', 'Hahn', 'Imhof', 'Jung', 'Kern', 'Lorenz'],
  ...['Maurer', 'Noll', 'Ott', 'Peters', 'Reuter', 'Sommer', 'Thoma', 'Unger', 'Vogt', 'Winter'],
];
/** Telephone numbers reserved for fiction by the German regulator. */
const filmNumbers = '+49171392';
/**
 * Ranges of large providers, so that the dashboard shows countries and networks: nothing is known about addresses that
 * are reserved for documentation. Who uses them here is fictional.
 */
const homes = ['84.156', '88.70'] as const;
const homesV6 = '2003:c0';
const abroad = ['126.0', '60.100', '73.20', '90.60'] as const;
/** Servers for rent. */
const attackers = ['5.9', '116.203'] as const;
/** In `vpnListFile`. */
const vpn = '193.138.218';

/** A person with devices. */
export interface Person extends Customer {
  readonly devices: readonly [Device, ...Device[]];
  readonly home: string;
}

/** Creates fictional people, all different. */
export class People {
  readonly #random: Random;
  #count = 0;
  #addresses = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Creates a customer without devices. */
  customer(domain = 'example.com'): Customer {
    const number = this.#count++;
    const first = firstNames[number % firstNames.length];
    // In each round, each first name gets a different last name.
    const last = lastNames[(number + Math.floor(number / firstNames.length)) % lastNames.length];
    const name = `${first}.${last}`.toLowerCase();
    const isSecond = number >= firstNames.length * lastNames.length;
    const id = isSecond ? `${name}.${number}` : name;
    const phone = `${filmNumbers}${String(number % 10_000).padStart(4, '0')}`;
    return { id, email: `${id}@${domain}`, ...(this.#random.chance(0.35) && { phone }) };
  }

  person(): Person {
    const random = this.#random;
    const computer = () => new Device(random, random.weighted(computers));
    const phone = () => new Device(random, random.weighted(phones));
    const devices: [Device, ...Device[]] = random.chance(0.6) ? [computer()] : [phone()];
    if (random.chance(0.45)) devices.push(phone());
    return { ...this.customer(), devices, home: this.address() };
  }

  /** Returns a unique home address. */
  address(): string {
    const number = this.#addresses++;
    if (number % 3 === 0) return `${homesV6}:${number.toString(16)}::1`;
    return `${homes[number % 2]}.${Math.floor(number / 254)}.${1 + (number % 254)}`;
  }

  /** Returns an address in another country. */
  addressAbroad(): string {
    return this.#addressIn(this.#random.pick(abroad));
  }

  /** Returns an address of a hosting company. */
  attackersAddress(): string {
    return this.#addressIn(this.#random.pick(attackers));
  }

  /** Returns an address of a VPN. */
  vpnAddress(): string {
    return `${vpn}.${1 + Math.floor(this.#random.next() * 254)}`;
  }

  #addressIn(range: string): string {
    return `${range}.${Math.floor(this.#random.next() * 256)}.${1 + Math.floor(this.#random.next() * 254)}`;
  }
}
