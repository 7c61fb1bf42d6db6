// SPDX-License-Identifier: GPL-2.0
/*
 * The applications' answers are right, over everything they run over.
 */
#include "apps.hpp"
#include "kv.hpp"
#include "random.hpp"
#include "rpc.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace
{

using namespace apps;

constexpr uint64_t requests = CCNIC_TEST_PACKETS;

std::vector<std::string> names()
{
	std::vector<std::string> list;

	for (const bench::Entry &entry : all_apps())
		list.push_back(entry.name);
	return list;
}

std::unique_ptr<bench::Subject> make(const std::string &name)
{
	for (const bench::Entry &entry : all_apps())
		if (entry.name == name)
			return entry.make();
	return nullptr;
}

std::string test_name(const testing::TestParamInfo<std::string> &info)
{
	std::string name = info.param;

	std::replace(name.begin(), name.end(), '/', '_');
	return name;
}

class App : public testing::TestWithParam<std::string>
{
};

class AppThreads : public testing::TestWithParam<std::string>
{
};

TEST_P(App, EveryAnswerIsRight)
{
	EXPECT_EQ(make(GetParam())->pass(0, 0, requests, nullptr), requests);
}

TEST_P(AppThreads, EveryAnswerIsRight)
{
	const auto cpus = bench::choose_pair(bench::usable_cpus());

	if (!cpus)
		GTEST_SKIP() << "one CPU";
	EXPECT_EQ(make(GetParam())->pass(0, 0, requests, &*cpus), requests);
}

INSTANTIATE_TEST_SUITE_P(All, App, testing::ValuesIn(names()), test_name);
INSTANTIATE_TEST_SUITE_P(All, AppThreads, testing::ValuesIn(names()), test_name);

TEST(Store, HasEveryKeyAndNoOther)
{
	Store store;

	for (uint32_t key = 0; key < Store::keys; key++) {
		const Store::Item *item = store.find(key);

		ASSERT_NE(item, nullptr);
		EXPECT_EQ(item->key, key);
		EXPECT_GE(item->bytes, Store::least_bytes);
		EXPECT_LE(item->bytes, Store::most_bytes);
		EXPECT_TRUE(bench::contents_right(store.value(*item), Store::sequence_of(key, 0), 0,
						  item->bytes));
	}
	EXPECT_EQ(store.find(Store::keys), nullptr);
	EXPECT_EQ(store.find(UINT32_MAX), nullptr);
}

TEST(Store, ValuesAreOfAllSizes)
{
	uint32_t small = 0;
	uint32_t large = 0;

	for (uint32_t key = 0; key < Store::keys; key++) {
		small += Store::bytes_of(key) < 64 ? 1 : 0;
		large += Store::bytes_of(key) >= 2048 ? 1 : 0;
	}
	EXPECT_GT(small, Store::keys / 8);
	EXPECT_GT(large, Store::keys / 16);
}

/* Sends one message to a server and takes the answer, in pieces of so many bytes. */
template <typename Server>
std::vector<uint8_t> exchange(Server &server, const std::vector<uint8_t> &request, uint32_t piece)
{
	const auto bytes = static_cast<uint32_t>(request.size());

	for (uint32_t at = 0; at < bytes; at += piece)
		server.read(&request[at], at, std::min(piece, bytes - at));
	server.done(bytes);
	std::vector<uint8_t> answer(server.bytes());
	for (uint32_t at = 0; at < answer.size(); at += piece)
		server.write(&answer[at], at,
			     std::min(piece, static_cast<uint32_t>(answer.size()) - at));
	server.done();
	return answer;
}

template <typename Client>
std::vector<uint8_t> next_request(Client &client)
{
	std::vector<uint8_t> request(client.bytes());

	client.write(request.data(), 0, client.bytes());
	client.done();
	return request;
}

template <typename Client>
void take(Client &client, const std::vector<uint8_t> &answer)
{
	client.read(answer.data(), 0, static_cast<uint32_t>(answer.size()));
	client.done(static_cast<uint32_t>(answer.size()));
}

TEST(Kv, ClientNoticesAWrongByte)
{
	KvServer server;
	KvClient client;

	for (int i = 0; i < 1000; i++) {
		std::vector<uint8_t> answer = exchange(server, next_request(client), 4096);
		if (i == 500)
			answer.back()++;
		take(client, answer);
	}
	EXPECT_EQ(client.answered(), 1000U);
	EXPECT_EQ(client.wrong(), 1U);
}

TEST(Kv, TakesMessagesInPieces)
{
	KvServer server;
	KvClient client;

	for (int i = 0; i < 2000; i++)
		take(client, exchange(server, next_request(client), 512));
	EXPECT_EQ(client.wrong(), 0U);
}

TEST(Kv, ServesAKeyThatThereIsNot)
{
	KvServer server;
	Header header;
	std::vector<uint8_t> request(sizeof(header) + 100);

	header.key = UINT32_MAX;
	header.op = Op::set;
	header.bytes = 100;
	std::memcpy(request.data(), &header, sizeof(header));
	EXPECT_EQ(exchange(server, request, 4096).size(), sizeof(Header));
}

TEST(Rpc, ClientNoticesALostCall)
{
	RpcServer server;
	RpcClient client;

	for (int i = 0; i < 100; i++) {
		const std::vector<uint8_t> request = next_request(client);
		if (i != 50)
			take(client, exchange(server, request, 4096));
	}
	EXPECT_GT(client.wrong(), 0U);
}

TEST(Zipf, PrefersTheFirst)
{
	Zipf zipf(1000, 0.99, 1);
	std::map<uint32_t, uint32_t> counts;

	for (int i = 0; i < 100000; i++) {
		const uint32_t draw = zipf.next();
		ASSERT_LT(draw, 1000U);
		counts[draw]++;
	}
	EXPECT_GT(counts[0], counts[1]);
	EXPECT_GT(counts[0], 8000U);
	EXPECT_GT(counts[1], counts[100]);
}

TEST(Zipf, WithoutAnExponentIsEven)
{
	Zipf zipf(4, 0, 1);
	std::map<uint32_t, uint32_t> counts;

	for (int i = 0; i < 40000; i++)
		counts[zipf.next()]++;
	for (uint32_t i = 0; i < 4; i++)
		EXPECT_NEAR(counts[i], 10000, 800);
}

} // namespace
