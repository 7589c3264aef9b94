"""Pgx on this processor: many games at once, compiled by JAX, random legal actions."""

import sys
import time

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

SECONDS, GAME, WIDTH, STEPS = float(sys.argv[1]), sys.argv[2], 1024, 64
env = pgx.make(GAME)
step = auto_reset(env.step, env.init)


def advance(carry, _):
    state, key = carry
    key, action_key = jax.random.split(key)
    logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
    actions = jax.random.categorical(action_key, logits, axis=-1)
    keys = jax.random.split(key, WIDTH)
    return (jax.vmap(step)(state, actions, keys), key), None


@jax.jit
def many(state, key):
    (state, key), _ = jax.lax.scan(advance, (state, key), None, length=STEPS)
    return state, key


key = jax.random.PRNGKey(1)
state = jax.jit(jax.vmap(env.init))(jax.random.split(key, WIDTH))
state, key = jax.block_until_ready(many(state, key))
steps, started = 0, time.process_time()
while time.process_time() - started < SECONDS:
    state, key = jax.block_until_ready(many(state, key))
    steps += WIDTH * STEPS
print(steps, time.process_time() - started)
