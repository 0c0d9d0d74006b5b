/** Judges whether a response discloses details of a payment card. */
import type { Judgement } from '../../scenario/scenario.ts'
import { type Exchange, type Json, json } from '../../wire/exchange.ts'
import { fail, pass, warn } from '../../scenario/expect.ts'
import { inside, isArray } from '../../assertions/pointer.ts'
import { isObject } from '../../../spec/json.ts'

/** Names of card details, without case and separators. */
const details =
  /^(?:card|creditcard|paymentcard|debitcard)?(?:cardnumber|pan|primaryaccountnumber|cvc|cvv|cvc2|cvv2|securitycode|last4|lastfour|last4digits|lastfourdigits|expmonth|expyear|expirymonth|expiryyear|expirationmonth|expirationyear|cardholder|cardholdername|cardexpiry|cardbrand|cardbin|nameoncard)$/
/** Names that are card details only inside a card. */
const within = /^(?:number|brand|network|expiry|expires|expiration|holder|holdername|bin|last|digits)$/
const card = /^(?:card|creditcard|debitcard|paymentcard|carddetails)$/
/** Ids, counts and times may look like card numbers by chance. */
const counted = /(?:id|ids|ref|reference|at|time|timestamp|date|count|total|sequence|key|hash)$/

/** No member with the name of a card detail has a value, and no string is a card number. */
export function showsNoCard(exchange: Exchange): Judgement {
  const body = json(exchange)
  if (!body.ok) return pass
  for (const { value, name, parent } of inside(body.value)) {
    if (value === null || value === '' || typeof value === 'boolean' || isObject(value) || isArray(value))
      continue
    const [own, outer] = [plain(name), plain(parent)]
    if ((details.test(own) || (card.test(outer) && within.test(own))) && !isTaxNumber(own, value))
      return fail('no detail of a card', `a member \`${name}\``, exchange)
    // Asterisks or crosses followed by four digits, as receipts print a card.
    if (typeof value === 'string' && /(?:[*•xX]{4}[ -]?){1,4}\d{4}\b/.test(value)) {
      // A mask in groups of four is that of a card; a shorter one may be that of an account or a key.
      const judge =
        /(?:[*•xX]{4}[ -]?){3}\d{4}\b/.test(wordsOf(value)) ||
        /card|pan|pay|paid/.test(`${own + outer} ${wordsOf(value)}`)
          ? fail
          : warn
      return judge('no detail of a card', `a masked number in \`${name}\``, exchange)
    }
    if (isCardNumber(value) && !counted.test(own))
      return /card|pan|payment/.test(own + outer)
        ? fail('no number of a card', `a number that is one, in \`${name}\``, exchange)
        : warn('no number of a card', `a number that may be one, in \`${name}\``, exchange)
  }
  return pass
}

const wordsOf = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** In some countries this is the name of a tax number. */
function isTaxNumber(name: string, value: Json): boolean {
  return name === 'pan' && !/\d{6}|\d{4}$|[*•xX]{4}/.test(wordsOf(value))
}

/** 13 to 19 digits in a range of a network, with a valid check digit. */
function isCardNumber(value: Json): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const digits = String(value).replaceAll(/[ -]/g, '')
  return /^[2-6]\d{12,18}$/.test(digits) && isLuhn(digits)
}

export function isLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .map((digit, i) => Number(digit) * (i % 2 === 0 ? 1 : 2))
    .map((product) => (product > 9 ? product - 9 : product))
    .reduce((left, right) => left + right, 0)
  return sum % 10 === 0
}

function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
}
