"""Puzzles, attempts to solve them, and the ratings that follow."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "puzzles",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("right_count", sa.Integer(), nullable=False),
        sa.Column("tolerance", sa.Double(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("solution", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="puzzles_key"),
    )
    op.create_index("puzzles_game_rating", "puzzles", ["game", "rating"], unique=False)
    op.create_index("puzzles_rating", "puzzles", ["rating"], unique=False)
    op.create_table(
        "puzzle_attempts",
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("before", sa.Double(), nullable=True),
        sa.Column("after", sa.Double(), nullable=True),
        sa.Column("puzzle_before", sa.Double(), nullable=True),
        sa.Column("puzzle_after", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="puzzle_attempts_person_of_people"),
        sa.ForeignKeyConstraint(
            ["puzzle"], ["puzzles.id"], name="puzzle_attempts_puzzle_of_puzzles"
        ),
        sa.PrimaryKeyConstraint("puzzle", "person", name="puzzle_attempts_key"),
    )
    op.create_index("puzzle_attempts_person_at", "puzzle_attempts", ["person", "at"], unique=False)
    op.create_table(
        "puzzle_ratings",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="puzzle_ratings_person_of_people"),
        sa.PrimaryKeyConstraint("person", "game", name="puzzle_ratings_key"),
    )
