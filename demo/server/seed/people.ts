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
/**
 * Telephone numbers reserved for fiction by the German regulator, and addresses reserved for documentation (RFC 5737,
 * 3849).
 */
const filmNumbers = '+49171392';
const homes = ['198.51.100', '203.0.113'];
const attackers = '192.0.2';

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
    if (number % 3 === 0) return `2001:db8:${number.toString(16)}::1`;
    return `${homes[number % 2]}.${1 + (Math.floor(number / 2) % 254)}`;
  }

  /** Returns an address in a network with a bad reputation. */
  attackersAddress(): string {
    return `${attackers}.${1 + Math.floor(this.#random.next() * 254)}`;
  }
}
